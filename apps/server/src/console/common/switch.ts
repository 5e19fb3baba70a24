/** An entity that can be off in single environments. */
export type Switched = { disabledEnvironments?: string[] };

/** The entity as it is stored: without an empty list of environments. */
export function withSwitches<E extends Switched>(entity: E): E {
  const { disabledEnvironments = [], ...rest } = entity;
  return disabledEnvironments.length > 0 ? entity : (rest as E);
}

/** The entity, turned on or off in one environment. */
export function switchedIn<E extends Switched>(entity: E, environment: string, isOn: boolean): E {
  const others = (entity.disabledEnvironments ?? []).filter((name) => name !== environment);
  return withSwitches({ ...entity, disabledEnvironments: isOn ? others : [...others, environment] });
}
