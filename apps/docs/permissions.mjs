import { valueAt } from "@gatehouse/contract";

/** The place of the table in the introduction. */
const MARKER = "<!-- The rendered docs have the table of permissions here. -->";

/** The access of operations that require no permission. */
const ACCESS = {
  none: "Needs no credentials.",
  session: "Requires the session of a person.",
  administrator: "Requires the session of a server administrator.",
  contained: "Requires the permission of each operation that it contains.",
};

/** The document with the permission that each operation requires, and a table of the roles and scopes that give each of them. */
export function withPermissions(document, descriptions, permissions) {
  const copy = structuredClone(document);
  for (const { path, method, permission } of Object.values(descriptions)) {
    const operation = copy.paths[path][method];
    operation.description += `\n\n${ACCESS[permission] ?? `Requires the permission \`${permission}\`.`}`;
  }
  if (!copy.info.description.includes(MARKER)) throw new Error(`The introduction has no place for the table of permissions: ${MARKER}`);
  copy.info.description = copy.info.description.replace(MARKER, permissionTable(document, permissions));
  return copy;
}

/** A table of the permissions with the roles and scopes that have them, as Markdown. */
export function permissionTable(document, permissions) {
  const { properties } = valueAt(document, "#/components/schemas/Permissions");
  const has = (is) => (is ? "✓" : "");
  const rows = Object.entries(permissions).map(([name, { roles, scopes }]) => {
    const alternatives = scopes.map((set) => set.map((scope) => `\`${scope}\``).join(" and ")).join(" or ");
    return [
      `\`${name}\``,
      properties[name].description,
      has(true),
      has(roles.includes("Member")),
      has(roles.includes("Viewer")),
      alternatives,
    ];
  });
  const header = ["Permission", "What it permits", "Admin", "Member", "Viewer", "Scopes of a key"];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
