import Mustache from "mustache";
import type { ChatMessage } from "../../common/chat.ts";

/** The values of placeholders, by name. */
export type Inputs = Readonly<Record<string, string>>;

/** Maximum size of rendered messages together, in characters. */
const MAX_RENDERED = 500_000;

/** Why a template cannot be rendered. The message is a sentence. */
export class RenderingFailure extends Error {}

/**
 * Messages with values in place of their placeholders, as SDKs render them: values are inserted as they are, without HTML escapes. `missing`
 * has the placeholders without a value.
 * @throws RenderingFailure if a message is not a template, or all of them are too long
 */
export function renderMessages(messages: readonly ChatMessage[], inputs: Inputs): { messages: ChatMessage[]; missing: string[] } {
  const writer = new BoundedWriter();
  const rendered = messages.map(({ role, content }) => ({ role, content: render(writer, content, inputs) }));
  return { messages: rendered, missing: [...writer.missing] };
}

/** A template with its values. @throws RenderingFailure */
export function renderText(template: string, inputs: Inputs): string {
  return render(new BoundedWriter(), template, inputs);
}

/** Why a text is not a template, as an error message. Undefined if it is one. */
export function templateFault(template: string): string | undefined {
  try {
    new BoundedWriter().parse(template);
    return undefined;
  } catch (error) {
    return `must be a Mustache template: ${(error as Error).message}`;
  }
}

/** Whether a template inserts a value. */
export function inserts(template: string, name: string): boolean {
  const writer = new BoundedWriter();
  render(writer, template, {});
  return writer.missing.has(name);
}

function render(writer: BoundedWriter, template: string, inputs: Inputs): string {
  try {
    return writer.render(template, new InputContext(inputs));
  } catch (error) {
    if (error instanceof RenderingFailure) throw error;
    // Sections can be nested so deep that the stack is too small for them.
    const reason = error instanceof RangeError ? "its sections are nested too deep" : (error as Error).message;
    throw new RenderingFailure(`A message cannot be rendered: ${reason}.`);
  }
}

/** Looks names up among the inputs alone. Mustache itself would also find, and call, what every object inherits. */
class InputContext extends Mustache.Context {
  readonly inputs: Inputs;

  constructor(inputs: Inputs, view: string | Inputs = inputs, parent?: InputContext) {
    super(view, parent);
    this.inputs = inputs;
  }

  override push(view: string): InputContext {
    return new InputContext(this.inputs, view, this);
  }

  override lookup(name: string): string | undefined {
    if (name === ".") return typeof this.view === "string" ? this.view : undefined;
    return Object.hasOwn(this.inputs, name) ? this.inputs[name] : undefined;
  }
}

/** Inserts values as they are, up to a length, and notes names without a value. Caches nothing. */
class BoundedWriter extends Mustache.Writer {
  readonly missing = new Set<string>();
  #length = 0;

  constructor() {
    super();
    // Otherwise every template of a caller would stay in memory.
    Object.assign(this, { templateCache: undefined });
  }

  override escapedValue(token: string[], context: Mustache.Context): string {
    return this.unescapedValue(token, context);
  }

  override unescapedValue([, name = ""]: string[], context: Mustache.Context): string {
    const value: string | undefined = context.lookup(name);
    if (value === undefined) this.missing.add(name);
    return this.#count(value ?? "");
  }

  override rawValue([, text = ""]: string[]): string {
    return this.#count(text);
  }

  #count(text: string): string {
    this.#length += text.length;
    if (this.#length > MAX_RENDERED)
      throw new RenderingFailure(`The messages are longer than ${MAX_RENDERED} characters with their values.`);
    return text;
  }
}
