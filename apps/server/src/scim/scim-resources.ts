import type { Schema } from "@gatehouse/contract/scim";
import type { Group, GroupMember } from "./scim-group-store.ts";
import type { User } from "./scim-user-store.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

type Times = { createdTime: number; lastModifiedTime: number };

function toMeta(resourceType: string, location: string, { createdTime, lastModifiedTime }: Times) {
  return {
    resourceType,
    created: new Date(createdTime).toISOString(),
    lastModified: new Date(lastModifiedTime).toISOString(),
    location,
  };
}

/** A user as responses show it. */
export function toScimUser({ person, profile, lastModifiedTime }: User, baseUrl: string): Schema<"ScimUser"> {
  const { id, email, firstName, lastName, isActive, createdTime } = person;
  const { userName = email, externalID = null, displayName = null } = profile ?? {};
  const formatted = `${firstName} ${lastName}`.trim();
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalID !== null && { externalId: externalID }),
    userName,
    ...(formatted !== "" && {
      name: { formatted, ...(firstName !== "" && { givenName: firstName }), ...(lastName !== "" && { familyName: lastName }) },
    }),
    ...(displayName !== null && { displayName }),
    active: isActive,
    emails: [{ value: email, type: "work", primary: true }],
    meta: toMeta("User", `${baseUrl}/Users/${id}`, { createdTime, lastModifiedTime }),
  };
}

/** A group as responses show it. */
export function toScimGroup(group: Group, members: GroupMember[], baseUrl: string): Schema<"ScimGroup"> {
  const { id, externalID, displayName } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalID !== null && { externalId: externalID }),
    displayName,
    members: members.map(({ personID, userName }) => ({
      value: personID,
      type: "User",
      display: userName,
      $ref: `${baseUrl}/Users/${personID}`,
    })),
    meta: toMeta("Group", `${baseUrl}/Groups/${id}`, group),
  };
}

/** A page of a list. */
export function toList<Resource>(resources: Resource[], totalResults: number, startIndex: number) {
  return { schemas: [LIST_SCHEMA], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources };
}
