import type { CallError } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { Copyable } from "#ui/copyable.tsx";

/** Characters of a request id that are shown; all of it is copied. */
const maxShown = 20;

interface Props {
  readonly error: CallError;
  /** In place of the error's own text. */
  readonly text?: string;
}

/**
 * Why a call failed, with the request id to name to an administrator: where the text already contains
 * it, it can be copied there; otherwise it comes after them.
 */
export function ErrorText({ error, text = error.message }: Props) {
  const t = useTexts();
  const { requestId } = error;
  if (requestId === null) return text;
  const id = <Copyable text={requestId} short={maxShown} />;
  const at = text.indexOf(requestId);
  if (at >= 0) {
    return (
      <span>
        {text.slice(0, at)}
        {id}
        {text.slice(at + requestId.length)}
      </span>
    );
  }
  return (
    <span>
      {text}{" "}
      <span className="w-quiet">
        {t("call.requestId", { id: "" })}
        {id}
      </span>
    </span>
  );
}
