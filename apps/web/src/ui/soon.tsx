import { type ComponentType, lazy, useState } from "react";
import { FailedBackground, FailedDialog, FailedPart, type FailureProps, LoadBoundary, LoadFailure } from "./load-failure.tsx";

/** Browsers without idle callbacks wait so long, in ms. */
const WAIT_MS = 1_000;

function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run);
  else setTimeout(run, WAIT_MS);
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
/** A component that can be closed is a dialog, so its failure must be one too. */
type NoDialog<Props> = "onClose" extends keyof Props ? ["a dialog is loaded by soonDialog"] : [];

/** A component, and a function that loads it ahead. If it can't be loaded, `Failed` is shown instead until someone asks for it again. */
function prepare<Props extends object>(load: Load<Props>, Failed: ComponentType<FailureProps>) {
  let loaded: ComponentType<Props> | undefined;
  const keep = async () => {
    const module = await load();
    loaded = module.default;
    return module;
  };
  const begin = (): ComponentType<Props> =>
    lazy(() =>
      keep().catch((cause: unknown) => {
        throw new LoadFailure(String(cause), { cause });
      }),
    ) as unknown as ComponentType<Props>;
  let loading = begin();
  // Only an action of the reader starts another load: a render that did would not end without a connection.
  const repeat = () => {
    loading = begin();
  };
  // biome-ignore-start lint/correctness/noComponentHookFactories: modules call it once, as they call `lazy`.
  function Shown(props: Props) {
    // It stays the same while it is shown. A loaded component shows at once, so that no pressed key is lost.
    const [Current] = useState(() => loaded ?? loading);
    return <Current {...props} />;
  }
  function Prepared(props: Props) {
    const { onClose } = props as { onClose?: () => void };
    return (
      <LoadBoundary Failed={Failed} onRetry={repeat} {...(onClose && { onClose })}>
        <Shown {...props} />
      </LoadBoundary>
    );
  }
  // biome-ignore-end lint/correctness/noComponentHookFactories: modules call it once, as they call `lazy`.
  return { keep, Prepared };
}

/** Loads a component once the browser is idle, so that it shows at once later, even if the server is not reachable. */
function prepareSoon<Props extends object>(load: Load<Props>, Failed: ComponentType<FailureProps>): ComponentType<Props> {
  const { keep, Prepared } = prepare(load, Failed);
  // A failure is shown when the component is.
  whenIdle(() => void keep().catch(() => undefined));
  return Prepared;
}

/** A part of a page that is loaded when it is shown, such as a tab with charts. */
export function onDemand<Props extends object>(load: Load<Props>, ..._: NoDialog<Props>): ComponentType<Props> {
  return prepare(load, FailedPart).Prepared;
}

/** A part of a page that is loaded before it is needed. */
export function soon<Props extends object>(load: Load<Props>, ..._: NoDialog<Props>): ComponentType<Props> {
  return prepareSoon(load, FailedPart);
}

/** A dialog that is loaded before it is needed. */
export function soonDialog<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return prepareSoon(load, FailedDialog);
}

/** A component without output, loaded after the page. Failed loads are repeated. */
export function inBackground<Props extends object>(load: Load<Props>, ..._: NoDialog<Props>): ComponentType<Props> {
  return prepareSoon(load, FailedBackground);
}
