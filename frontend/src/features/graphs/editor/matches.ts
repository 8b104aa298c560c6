interface Named {
  label: string;
  /** Its name in documents, which is known to those who write YAML. */
  name: string;
  /** What it does. */
  words: string;
}

/** What a typed text finds: first what is called so, then what has it in its name, then what only speaks of it. */
export function matches<One>(all: readonly One[], text: string, of: (one: One) => Named): One[] {
  const wanted = text.trim().toLowerCase();
  const rank = (one: One) => {
    const { label, name, words } = of(one);
    const names = [label.toLowerCase(), name.toLowerCase()];
    if (names.some((own) => own.startsWith(wanted))) return 0;
    if (names.some((own) => own.includes(wanted))) return 1;
    return words.toLowerCase().includes(wanted) ? 2 : 3;
  };
  const ranked = all.map((one) => ({ one, at: rank(one) })).filter(({ at }) => at < 3);
  return ranked.sort((a, b) => a.at - b.at).map(({ one }) => one);
}
