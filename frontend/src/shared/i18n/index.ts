/** English and Chinese; the browser's language until one is picked. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { setRequestLanguage } from "@/shared/api/client";
import en from "./en.json";
import { pickSentences } from "./sentences";
import zh from "./zh.json";

export const LANGUAGES = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

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

/** Picks a language, or with null goes back to the browser's. */
export function pickLanguage(language: Language | null): void {
  if (language) localStorage.setItem(STORE, language);
  else localStorage.removeItem(STORE);
  void i18next.changeLanguage(language ?? browserLanguage());
}

export function startI18n(): void {
  const language = stored() ?? browserLanguage();
  i18next.on("languageChanged", (code) => apply(code as Language));
  void i18next.use(initReactI18next).init({
    resources: { en: { translation: en }, zh: { translation: zh } },
    lng: language,
    fallbackLng: "en",
    keySeparator: ".",
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  apply(language);
}
