import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import { changeMember } from "../members/member.ts";
import type { Env } from "../stores.ts";

export const invitationHandlers = {
  async listInvitations({ query, stores }) {
    const { data, total } = await stores.invitations.list(toWindow(query));
    const pagination = paginate("/console/v1/users/invitations", query, total);
    return { status: 200, body: { message: "Invitations listed successfully.", data, pagination } };
  },

  async deleteInvitation({ path, context, stores }) {
    const personID = await stores.invitations.revoke(path.id);
    const member = await stores.members.get(personID);
    // Members who have signed in stay, and the audit log still records the revocation.
    if (await stores.members.canSignIn(personID)) await stores.members.replace(member, changeMember(member, member.role, context));
    else await stores.members.delete(member);
    return { status: 200, body: { message: "Invitation revoked successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
