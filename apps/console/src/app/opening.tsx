import { formatMessage } from "@weft/contract/kernel/message.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { Bars } from "#ui/bars.tsx";
import { loading } from "./frame.ts";

/** Inside of the shell, while the code of its first screen is on its way: what the frame shows in this place. */
export function Opening() {
  return (
    <div className="w-opening" aria-busy="true">
      <p className="w-frame-title">{formatMessage(loading, useCurrentLanguage())}</p>
      <div className="w-card w-loading">
        <Bars count={10} />
      </div>
    </div>
  );
}
