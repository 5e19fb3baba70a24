import { INSTANCE_PROJECT } from "../../common/context.ts";
import { readCreationSettings } from "../../store/entities/creation-settings.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { CORE_UNIT_ID_TYPES } from "../common/named.ts";
import { CORE_TAG } from "../common/needs.ts";
import { defaultEnvironments } from "../environments/environment-set.ts";
import { createEnvironmentStore } from "../environments/environment-store.ts";
import { KEY_MANAGEMENT_SCOPES, newKey } from "../keys/key.ts";
import { createKeyStore } from "../keys/key-store.ts";
import { newMember } from "../members/member.ts";
import { createMemberStore } from "../members/member-store.ts";
import { createPersonStore } from "../people/person-store.ts";
import { ADMIN } from "../roles/role.ts";
import { newTag } from "../tags/tag.ts";
import { createTagStore } from "../tags/tag-store.ts";
import { newUnitIDType } from "../unit-id-types/unit-id-type.ts";
import { createUnitIDTypeStore } from "../unit-id-types/unit-id-type-store.ts";

/** A project's first key, which is shown once. */
export type FirstKey = { id: string; key: string };

/**
 * Fills a new project with the entities that every project has, and one console key.
 * @param secret of the key, if the operator chose it
 */
export async function fillProject(given: StoreDeps, projectID: string, secret?: string): Promise<FirstKey> {
  const deps = await fillWithoutKey(given, projectID);
  const made = newKey({ type: "CONSOLE", description: "first key", scopes: [...KEY_MANAGEMENT_SCOPES] }, deps.by, secret);
  await createKeyStore(deps).create(made.key, made.secret);
  return { id: made.key.id, key: made.secret };
}

/**
 * The same without the key: environments, core tag and core unit ID types. A person who creates the project becomes its first member.
 * @returns the dependencies of the project's stores
 */
export async function fillWithoutKey(given: StoreDeps, projectID: string): Promise<StoreDeps> {
  const context = { ...given.by, projectID };
  const deps = { ...given, projectID, by: context, creationSettings: readCreationSettings(given.db, projectID) };
  const environments = createEnvironmentStore(deps);
  await environments.replace(await environments.get(), defaultEnvironments());
  await createTagStore(deps).create(newTag({ name: CORE_TAG }, context));
  for (const name of CORE_UNIT_ID_TYPES) await createUnitIDTypeStore(deps).create(newUnitIDType({ name }, context));
  const person = await createPersonStore({ ...deps, projectID: INSTANCE_PROJECT }).find(context.actor.id);
  if (person) await createMemberStore(deps).create(newMember(person, ADMIN, context));
  return deps;
}
