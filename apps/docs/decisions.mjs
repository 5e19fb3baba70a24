import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../docs/decisions/", import.meta.url);

/** A list of all decisions by their groups, as Markdown. */
export function decisionList() {
  const files = readdirSync(folder).filter((file) => /^\d{2}-.+\.md$/.test(file));
  const decisions = files.sort().map((file) => ({ file, ...readFrontMatter(file) }));
  const groups = [...new Set(decisions.map(({ group }) => group))];
  const listed = (group) =>
    decisions
      .filter((decision) => decision.group === group)
      .map(({ file, title, description }) => `- [${title}](./${file.replace(/\.md$/, "")}): ${description}`);
  return groups.map((group) => `## ${group}\n\n${listed(group).join("\n")}`).join("\n\n");
}

function readFrontMatter(file) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const read = (key) => {
    const [, value] = new RegExp(`^${key}: (.+)$`, "m").exec(text) ?? [];
    if (value === undefined) throw new Error(`docs/decisions/${file} has no ${key} in its front matter.`);
    return value;
  };
  return { title: read("title"), description: read("description"), group: read("group") };
}
