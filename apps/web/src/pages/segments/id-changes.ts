// Changes of a segment's list of IDs. Pure.
import type { Schema } from "../../api.ts";
import { exact } from "../../charts/format.ts";
import type { Change } from "../../targeting/change.ts";
import { subject, text, value } from "../../targeting/parts.ts";

/** How the number of IDs changed from one version to another. Versions have no IDs themselves. */
export const idChanges = ({ count: before }: Schema<"Segment">, { count: after }: Schema<"Segment">): Change[] =>
  before === after
    ? []
    : [
        {
          kind: "changed",
          field: "count",
          parts: [subject("Number of IDs"), text(":"), value(exact(before)), text("→"), value(exact(after))],
        },
      ];

/** The text for a version without a visible change. */
export const unseenChange = ({ type }: Schema<"Segment">): string =>
  type === "rule_based" ? "Saved without changes." : "The number of IDs didn’t change, but the IDs may have.";
