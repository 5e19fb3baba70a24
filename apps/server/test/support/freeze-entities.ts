import { freezeWhatIsRead } from "../../src/store/change-log/entity-text.ts";

freezeWhatIsRead();
