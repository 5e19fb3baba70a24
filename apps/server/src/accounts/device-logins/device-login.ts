import type { Schema } from "@gatehouse/contract/console";

/** The choices of the person who approves a login. */
export type Approval = { personID: string; projectID: string; access: Schema<"DeviceLoginApproval">["access"]; keyDays: number };

type State = "pending" | "approved" | "denied" | "completed";

/** A login of a program that waits for a person. */
export type DeviceLogin = {
  id: string;
  host: string;
  address: string | null;
  createdTime: number;
  endsTime: number;
  polledTime: number | null;
  state: State;
  /** Null before the approval. */
  approval: Approval | null;
};

/** The state of a login at a time. Pending and approved logins end. */
export function stateAt({ state, endsTime }: DeviceLogin, now: number): State | "expired" {
  const isOpen = state === "pending" || state === "approved";
  return isOpen && endsTime <= now ? "expired" : state;
}

/** Whether a login was approved with the same choices by the same person, redeemed or not. */
export function isApprovedAs({ approval, state }: DeviceLogin, { personID, projectID, access, keyDays }: Approval): boolean {
  if (approval === null || state === "denied") return false;
  const isSameKey = approval.projectID === projectID && approval.access === access && approval.keyDays === keyDays;
  return isSameKey && approval.personID === personID;
}
