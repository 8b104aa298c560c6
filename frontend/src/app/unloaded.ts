import { browserLanguage, pickedLanguage } from "@/shared/i18n";

/** The words of the pages are what is missing here, so these stand by themselves. */
const WORDS = {
  en: { text: "The pages could not be loaded. Is the server reachable?", again: "Try again" },
  zh: { text: "页面无法加载。服务器可以访问吗？", again: "重试" },
} as const;

/** Says that the pages can't start, instead of an empty one. */
export function showUnloaded(root: HTMLElement): void {
  const language = pickedLanguage() ?? browserLanguage();
  const words = WORDS[language];
  const main = document.createElement("main");
  main.setAttribute("role", "alert");
  main.className = "unloaded";
  const text = document.createElement("p");
  text.textContent = words.text;
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = words.again;
  again.addEventListener("click", () => location.reload());
  main.append(text, again);
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  root.replaceChildren(main);
}
