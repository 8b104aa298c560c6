/** English and Chinese; the browser's language until one is picked. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { setRequestLanguage } from "@/shared/api/client";
import { pickSentences } from "./sentences";

export const LANGUAGES = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** Only the words of the reader's language are loaded. */
const WORDS = { en: () => import("./en.json"), zh: () => import("./zh.json") };

const STORE = "workbench.language";

function stored(): Language | null {
  const value = localStorage.getItem(STORE);
  return value === "en" || value === "zh" ? value : null;
}

export function browserLanguage(languages: readonly string[] = navigator.languages): Language {
  const first = languages.find((code) => /^(en|zh)\b/i.test(code));
  return first?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** The language that was picked, or null while it is the browser's. */
export const pickedLanguage = stored;

function apply(language: Language): void {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  setRequestLanguage(language);
  pickSentences(language);
}

/**
 * Picks a language, or with null goes back to the browser's.
 *
 * Fails where its words can't be loaded; then all stays as it was.
 */
export async function pickLanguage(language: Language | null): Promise<void> {
  const next = language ?? browserLanguage();
  if (!i18next.hasResourceBundle(next, "translation"))
    i18next.addResourceBundle(next, "translation", (await WORDS[next]()).default);
  if (language) localStorage.setItem(STORE, language);
  else localStorage.removeItem(STORE);
  await i18next.changeLanguage(next);
}

export async function startI18n(): Promise<void> {
  const language = stored() ?? browserLanguage();
  const words = (await WORDS[language]()).default;
  i18next.on("languageChanged", (code) => apply(code as Language));
  void i18next.use(initReactI18next).init({
    resources: { [language]: { translation: words } },
    lng: language,
    fallbackLng: false,
    keySeparator: ".",
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  apply(language);
}
