// Lists as every page writes them. Pure.

const AND = new Intl.ListFormat("en-US", { type: "conjunction" });
const OR = new Intl.ListFormat("en-US", { type: "disjunction" });

/** Names in a sentence: “staging”, “staging and production”, “a, b, and c”. */
export const listed = (names: readonly string[], conjunction: "and" | "or" = "and"): string =>
  (conjunction === "and" ? AND : OR).format(names);
