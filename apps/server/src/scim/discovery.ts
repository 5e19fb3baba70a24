import type { Schema } from "@gatehouse/contract/scim";
import { GROUP_SCHEMA, USER_SCHEMA } from "./scim-resources.ts";
import { MAX_RESULTS } from "./window.ts";

type Attribute = Schema<"ScimAttribute">;

function attribute(name: string, given: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: "string",
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...given,
  };
}

const USER_ATTRIBUTES = [
  attribute("userName", { required: true, uniqueness: "server", description: "The person's email address, or another unique name." }),
  attribute("externalId", { caseExact: true, description: "The ID that the identity provider has for the person." }),
  attribute("name", {
    type: "complex",
    subAttributes: [attribute("formatted", { mutability: "readOnly" }), attribute("givenName"), attribute("familyName")],
  }),
  attribute("displayName", { description: "Stored for the identity provider. The console shows givenName and familyName." }),
  attribute("active", { type: "boolean", description: "Whether the person can sign in." }),
  attribute("emails", {
    type: "complex",
    multiValued: true,
    description:
      "The person's address. The server reads only the primary value, or else the first one, and only if userName is not an address.",
    subAttributes: [
      attribute("value"),
      attribute("type", { mutability: "readOnly", canonicalValues: ["work"] }),
      attribute("primary", { type: "boolean", mutability: "readOnly" }),
    ],
  }),
];

const GROUP_ATTRIBUTES = [
  attribute("displayName", { required: true, uniqueness: "server" }),
  attribute("externalId", { caseExact: true, description: "The ID that the identity provider has for the group." }),
  attribute("members", {
    type: "complex",
    multiValued: true,
    description: "The users in the group.",
    subAttributes: [
      attribute("value", { caseExact: true, required: true, description: "The id of a user." }),
      attribute("type", { mutability: "readOnly", canonicalValues: ["User"] }),
      attribute("display", { mutability: "readOnly" }),
      attribute("$ref", { type: "reference", caseExact: true, mutability: "readOnly", referenceTypes: ["User"] }),
    ],
  }),
];

const FEATURES = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token of the operator, in the Authorization header.",
      specUri: "https://www.rfc-editor.org/rfc/rfc6750",
      primary: true,
    },
  ],
};

/** The features of SCIM that the server supports. */
export function describeFeatures(baseUrl: string): Schema<"ServiceProviderConfig"> {
  const location = `${baseUrl}/ServiceProviderConfig`;
  const documentationUri = new URL("../../docs/api/scim", `${baseUrl}/`).href;
  return { ...FEATURES, documentationUri, meta: { resourceType: "ServiceProviderConfig", location } };
}

export function describeResourceTypes(baseUrl: string): Schema<"ScimResourceType">[] {
  const describe = (name: string, schema: string, description: string) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: name,
    name,
    description,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${name}` },
  });
  return [describe("User", USER_SCHEMA, "A person of the instance."), describe("Group", GROUP_SCHEMA, "A group of the identity provider.")];
}

export function describeSchemas(baseUrl: string): Schema<"ScimSchema">[] {
  const describe = (id: string, name: string, attributes: Attribute[]) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    id,
    name,
    attributes,
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${id}` },
  });
  return [describe(USER_SCHEMA, "User", USER_ATTRIBUTES), describe(GROUP_SCHEMA, "Group", GROUP_ATTRIBUTES)];
}
