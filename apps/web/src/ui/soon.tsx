import { type ComponentType, lazy, useState } from "react";

/** Browsers without idle callbacks wait so long, in ms. */
const WAIT_MS = 1_000;

function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run);
  else setTimeout(run, WAIT_MS);
}

/** What lets loads that failed be repeated. Not before somebody asks: a render that repeats its load would not end without a connection. */
const failed = new Set<() => void>();

/** Lets components whose load failed be loaded again when they are shown again. */
export function repeatFailedLoads(): void {
  for (const repeat of failed) repeat();
  failed.clear();
}

/** A component, and what loads it ahead. */
function prepare<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  const keep = async () => {
    const module = await load();
    loaded = module.default;
    return module;
  };
  const begin = (): ComponentType<Props> =>
    lazy(() =>
      keep().catch((error: unknown) => {
        failed.add(() => {
          loading = begin();
        });
        throw error;
      }),
    ) as unknown as ComponentType<Props>;
  let loading = begin();
  // biome-ignore lint/correctness/noComponentHookFactories: modules call it once, as they call `lazy`.
  function Prepared(props: Props) {
    // It stays the same while it is shown. What is loaded shows without a wait, so no key is lost that is pressed meanwhile.
    const [Shown] = useState(() => loaded ?? loading);
    return <Shown {...props} />;
  }
  return { keep, Prepared };
}

/** A component that is loaded when it is shown, such as a tab with charts. */
export function onDemand<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): ComponentType<Props> {
  return prepare(load).Prepared;
}

/**
 * A component that pages do without until somebody asks for it, such as a dialog. It is loaded once the browser has nothing else to do, so
 * that it is then there at once, even if the server is not.
 */
export function soon<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): ComponentType<Props> {
  const { keep, Prepared } = prepare(load);
  // A failure is shown when the component is.
  whenIdle(() => void keep().catch(() => undefined));
  return Prepared;
}
