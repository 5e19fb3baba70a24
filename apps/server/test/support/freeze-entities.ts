import { freezeWhatIsRead } from "../../src/store/entity-text.ts";

freezeWhatIsRead();
