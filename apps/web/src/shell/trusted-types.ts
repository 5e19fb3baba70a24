type Policies = { createPolicy: (name: "default", rules: { createHTML: (html: string) => string | null }) => unknown };

/** A component library clears its announcements by assigning an empty text as HTML. No other text becomes HTML. */
export function allowOnlyEmptyHTML(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  trustedTypes?.createPolicy("default", { createHTML: (html) => (html === "" ? html : null) });
}
