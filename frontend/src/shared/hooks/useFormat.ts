import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { serverNow } from "@/shared/api/serverClock";

export interface Format {
  duration: (ms: number | null | undefined) => string;
  ago: (iso: string | number | null | undefined, now?: number) => string;
  dateTime: (iso: string | null | undefined) => string;
  time: (iso: string) => string;
  size: (bytes: number) => string;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const UNITS = {
  en: { ms: "ms", s: "s", min: "min", h: "h", d: "d" },
  zh: { ms: "毫秒", s: "秒", min: "分", h: "小时", d: "天" },
};

export function formatIn(language: string, t: TFunction): Format {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  const unit = UNITS[language.startsWith("zh") ? "zh" : "en"];
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return {
    duration: (ms) => {
      if (ms === null || ms === undefined) return "–";
      if (ms < 999.5) return `${Math.round(ms)} ${unit.ms}`;
      if (ms < 59_950) return `${number.format(ms / 1000)} ${unit.s}`;
      const seconds = Math.round(ms / 1000);
      const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
      if (minutes < 60) return `${minutes} ${unit.min} ${seconds % 60} ${unit.s}`;
      if (hours < 24) return `${hours} ${unit.h} ${minutes % 60} ${unit.min}`;
      return `${Math.floor(hours / 24)} ${unit.d} ${hours % 24} ${unit.h}`;
    },
    ago: (at, now = serverNow()) => {
      if (!at) return t("common.never");
      const seconds = (new Date(at).getTime() - now) / 1000;
      if (Math.abs(seconds) < 5) return t("common.justNow");
      const [of, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
      return relative.format(Math.round(seconds / size), of);
    },
    dateTime: (iso) => (iso ? dateTime.format(new Date(iso)) : t("common.never")),
    time: (iso) => time.format(new Date(iso)),
    size: (bytes) => {
      if (bytes < 1024) return `${bytes} B`;
      if (bytes < 1024 ** 2) return `${number.format(bytes / 1024)} KB`;
      return `${number.format(bytes / 1024 ** 2)} MB`;
    },
  };
}

/** One for each language: what formats is costly to make, and long lists ask for it in every row. */
const made = new Map<string, Format>();

/** Numbers and times in the reader's language. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const { language } = i18n;
  let format = made.get(language);
  if (!format) made.set(language, (format = formatIn(language, i18n.getFixedT(language))));
  return format;
}
