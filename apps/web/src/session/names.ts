export type Named = { firstName: string; lastName: string; email: string };

/** The person's name, or their address as long as they have none. */
export const personName = ({ firstName, lastName, email }: Named): string => `${firstName} ${lastName}`.trim() || email;
