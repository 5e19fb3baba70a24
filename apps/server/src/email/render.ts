import type { EmailContent } from "../common/email-content.ts";
import { escapeHtml } from "../common/markup.ts";

/** Runs of white space and of characters that could end a line of a header. */
const BREAKS = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
const MAX_SUBJECT = 200;

/** One line, since names come from people. */
const toLine = (text: string) => text.replace(BREAKS, " ").trim();

/** The subject of an email, and its text as plain text and as HTML. It loads nothing from anywhere. */
export function render({ subject, paragraphs, link, footer }: EmailContent, publicUrl: string) {
  const lines = paragraphs.map(toLine);
  const small = toLine(footer.text);
  const hrefOf = (path: string) => `${publicUrl}${path}`;
  const [url, more] = [hrefOf(link.path), footer.link && { label: footer.link.label, url: hrefOf(footer.link.path) }];
  const text = [...lines, `${link.label}:\n${url}`, `-- \n${small}${more ? `\n${more.label}: ${more.url}` : ""}`].join("\n\n");
  return {
    subject: [...toLine(subject)].slice(0, MAX_SUBJECT).join(""),
    text: `${text}\n`,
    html: toHtml(lines, { label: link.label, url }, small, more),
  };
}

type Anchor = { label: string; url: string };

function toHtml(lines: string[], link: Anchor, small: string, more: Anchor | undefined): string {
  const anchor = ({ label, url }: Anchor, style: string) => `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;
  const button = "display:inline-block;padding:10px 16px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1a1d24">',
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    `<p>${anchor(link, button)}</p>`,
    `<p style="font-size:13px;color:#5b6270">If the button doesn't work, open this address:<br>${escapeHtml(link.url)}</p>`,
    `<p style="font-size:13px;color:#5b6270">${escapeHtml(small)}${more ? ` ${anchor(more, "color:#5b6270")}` : ""}</p>`,
    "</body></html>",
  ].join("\n");
}
