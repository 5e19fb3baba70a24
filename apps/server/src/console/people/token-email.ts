import type { EmailContent } from "../../common/email-content.ts";

/** The link of a one-time token, and for how many hours it works. */
type Link = { path: string; hours: number };

const worksFor = (hours: number) => `The link works once, within ${hours === 1 ? "an hour" : `${hours} hours`}.`;

/** The email with which a person accepts an invitation. @param inviter null for a key */
export function invitationEmail({ path, hours }: Link, { project, inviter }: { project: string; inviter: string | null }): EmailContent {
  const sentence =
    inviter === null
      ? `You were invited to the project ${project} on Gatehouse.`
      : `${inviter} invited you to the project ${project} on Gatehouse.`;
  return {
    subject: `Invitation to ${project} on Gatehouse`,
    paragraphs: [sentence, `To accept, set your password. ${worksFor(hours)}`],
    link: { label: "Accept invitation", path },
    footer: { text: "If you didn't expect this invitation, you can ignore this email." },
  };
}

/** The email with which a person sets another password. @param isRequested whether someone entered the address on the sign-in page; otherwise an administrator sent the link */
export function passwordResetEmail({ path, hours }: Link, isRequested: boolean): EmailContent {
  const sentence = isRequested
    ? "Someone asked to reset the password of your Gatehouse account."
    : "An administrator sent you a link to set a new password for your Gatehouse account.";
  return {
    subject: "Set a new password for Gatehouse",
    paragraphs: [sentence, `${worksFor(hours)} A new password signs you out everywhere else.`],
    link: { label: "Set password", path },
    footer: {
      text: isRequested
        ? "If it wasn't you, you can ignore this email. Your password stays the same."
        : "If you didn't expect this email, ask your administrator. Your password stays the same until you set another one.",
    },
  };
}
