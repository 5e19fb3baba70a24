import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";

const STATUSES = {
  PENDING: { label: "Waiting", tone: "warn", text: "Waiting for the webhook’s result." },
  VALIDATED: { label: "Valid", tone: "good", text: "The webhook has validated the change." },
  FAILED: { label: "Failed", tone: "bad", text: "The change failed validation, or validation timed out." },
} as const;

/** The answer of the webhook that validates changes. */
export function Validation({ status, message, debugLinks }: Schema<"ReviewValidation">) {
  const { label, tone, text } = STATUSES[status];
  return (
    <Section title="Validation">
      <div className={entity.card}>
        <p>
          <Badge tone={tone}>{label}</Badge> {message ?? text}
        </p>
        {debugLinks.map(({ title, url }) => (
          <p key={url}>
            <a href={url} rel="noreferrer" target="_blank">
              {title}
            </a>
          </p>
        ))}
      </div>
    </Section>
  );
}
