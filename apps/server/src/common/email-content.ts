/** The content of an email, without markup. Paths are those of pages of this server. */
export type EmailContent = {
  subject: string;
  paragraphs: string[];
  link: EmailLink;
  /** Small print after the link. */
  footer: { text: string; link?: EmailLink };
};

type EmailLink = { label: string; path: string };
