import { expect, test } from "vitest";
import { toBody, type WebhookEvent } from "./webhook-event.ts";

const NAMES = new Map<string, string>();
const PUBLIC_URL = "https://flags.example.com/a&b";

const event = (given: Partial<WebhookEvent["data"]> = {}): WebhookEvent => {
  const data = {
    projectID: "shop",
    action: "created",
    actorName: "Bea",
    entityType: "gate",
    entityID: "new_checkout",
    reason: null,
    fields: [],
  };
  return { type: "gate.created", timestamp: "", data: { ...data, fieldCount: 0, ...given } as WebhookEvent["data"] };
};

const bodyOf = (format: "slack" | "teams" | "discord", given?: Partial<WebhookEvent["data"]>, publicUrl: string | undefined = PUBLIC_URL) =>
  JSON.parse(toBody(format, event(given), { names: NAMES, publicUrl }));

const HOSTILE = { entityID: "a|b>c)[d](e*~'", entityName: "<https://evil.example|x> [y](https://evil.example)" };
const HOSTILE_PATH = "/projects/shop/gates/a%7Cb%3Ec%29%5Bd%5D%28e%2A%7E%27";

test("a message to Slack links the page of the entity, and nothing that people typed", () => {
  expect(bodyOf("slack", HOSTILE)).toEqual({
    text: "Bea created gate &lt;https://evil.example|x&gt; [y](https://evil.example)",
    blocks: [
      { type: "section", text: { type: "plain_text", text: `Bea created gate ${HOSTILE.entityName}`, emoji: false } },
      {
        type: "context",
        elements: [{ type: "mrkdwn", text: `<https://flags.example.com/a&amp;b${HOSTILE_PATH}|Open in Gatehouse>` }],
      },
    ],
  });
});

test("a message to Microsoft Teams has a button to the page of the entity", () => {
  const [{ content }] = bodyOf("teams", HOSTILE).attachments;
  expect(content.body).toEqual([{ type: "RichTextBlock", inlines: [{ type: "TextRun", text: `Bea created gate ${HOSTILE.entityName}` }] }]);
  expect(content.actions).toEqual([{ type: "Action.OpenUrl", title: "Open in Gatehouse", url: `${PUBLIC_URL}${HOSTILE_PATH}` }]);
});

test("a message to Discord ends with a link to the page of the entity, and has at most 2,000 letters", () => {
  const link = `\n[Open in Gatehouse](<${PUBLIC_URL}${HOSTILE_PATH}>)`;
  expect(bodyOf("discord", HOSTILE)).toEqual({
    content: `Bea created gate \\<https\\://evil.example\\|x\\> \\[y\\]\\(https\\://evil.example\\)${link}`,
    ...{ allowed_mentions: { parse: [] }, flags: 4 },
  });
  const { content } = bodyOf("discord", { ...HOSTILE, reason: "*".repeat(3_000) });
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(content.endsWith(`\\*…${link}`)).toBe(true);
});

test("overrides link the entity that they belong to", () => {
  expect(bodyOf("teams", { entityType: "gate_overrides" }).attachments[0].content.actions[0].url).toBe(
    `${PUBLIC_URL}/projects/shop/gates/new_checkout`,
  );
});

test("a message has no link without the address of the web console, and about what has no page", () => {
  expect(JSON.parse(toBody("discord", event(), { names: NAMES, publicUrl: undefined })).content).toBe("Bea created gate new\\_checkout");
  expect(bodyOf("discord", { entityType: "tag", entityID: "web" }).content).toBe("Bea created tag web");
});
