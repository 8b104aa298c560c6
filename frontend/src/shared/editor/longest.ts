/** How long a document may be, in characters, and what the server says of a longer one. */
export const LONGEST = {
  tools: { characters: 262_144, told: "The document is too long: at most 262,144 characters are allowed." },
  graphs: { characters: 2_000_000, told: "the text is longer than 2000000 characters" },
} as const;
