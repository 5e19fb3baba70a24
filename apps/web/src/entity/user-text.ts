import type { Schema } from "../api.ts";

type User = Schema<"PreviewUser">;

/** The user that the fields describe, or the faults. Undefined as long as the fields are empty. */
export function userFrom({
  userID,
  email,
  more,
}: {
  userID: string;
  email: string;
  more: string;
}): { user: User | undefined } | { fault: string } {
  let others: unknown = {};
  if (more.trim() !== "") {
    try {
      others = JSON.parse(more);
    } catch {
      return { fault: "Enter valid JSON." };
    }
  }
  if (typeof others !== "object" || others === null || Array.isArray(others))
    return { fault: 'Enter an object, such as {"country": "NO"}.' };
  const user = { ...others, ...(userID !== "" && { userID }), ...(email !== "" && { email }) };
  return { user: Object.keys(user).length === 0 ? undefined : (user as User) };
}
