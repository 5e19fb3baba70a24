/** The SMTP server that takes the emails. */
export type SmtpServer = {
  host: string;
  port: number;
  /** Whether the connection begins with TLS. Otherwise it can be upgraded (STARTTLS). */
  isSecure: boolean;
  /** `required`: no email without TLS and a valid certificate. `optional`: TLS of any certificate, if the server offers it. */
  tls: "required" | "optional" | "off";
  credentials?: { user: string; password: string };
};

/** The address that emails come from. The name can be empty. */
export type Sender = { name: string; address: string };

/** The operator's settings for email. */
export type EmailSettings = { server: SmtpServer; from: Sender };
