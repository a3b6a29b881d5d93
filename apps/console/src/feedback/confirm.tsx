import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useId,
  useRef,
  useState,
} from "react";
import { useTexts } from "#client/texts.ts";
import { Modal } from "#ui/overlay/modal.tsx";

export interface Question {
  /** Verb, name, number: "Remove POP Shanghai-01?" */
  readonly title: string;
  /** What stops, for whom, and what is kept; as a function it can close the dialog, as a link in it does. */
  readonly body?: ReactNode | ((close: () => void) => ReactNode);
  /** The same verb. */
  readonly ok: string;
  /** The button that cancels, where "Cancel" would be ambiguous. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /** Must be typed to continue: the name, or the number of rows. */
  readonly typed?: string | null | undefined;
  readonly typedLabel?: string | undefined;
  /** Aborted once the question needs no answer any more: the dialog closes, and the answer is no. */
  readonly signal?: AbortSignal;
  /** True: it cannot be done, and the body says why; nothing is to be typed or pressed. */
  readonly isBlocked?: boolean;
}

/**
 * Above every drawer and dialog: the library raises those that are opened within another by 100 each,
 * starting at 1000, and this one is rendered outside of all of them. Below the toasts (2010).
 */
const overAll = 1_900;

type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Requests a confirmation before an action with serious consequences; true: continue. */
export const useConfirm = (): Confirm => useContext(ConfirmContext);

/** Contains the one confirmation dialog. */
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [turn, setTurn] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const settle = useRef<((answer: boolean) => void) | null>(null);
  const request = useCallback<Confirm>((next) => {
    settle.current?.(false);
    if (next.signal?.aborted) return Promise.resolve(false);
    setQuestion(next);
    setTurn((last) => last + 1);
    setOpen(true);
    return new Promise((resolve) => {
      settle.current = resolve;
      next.signal?.addEventListener("abort", () => {
        // Another question may have come meanwhile.
        if (settle.current !== resolve) return;
        setOpen(false);
        settle.current = null;
        resolve(false);
      });
    });
  }, []);
  const answer = (given: boolean): void => {
    setOpen(false);
    settle.current?.(given);
    settle.current = null;
  };
  return (
    <ConfirmContext value={request}>
      {children}
      <Modal
        open={isOpen}
        title={question?.title}
        width={480}
        zIndex={overAll}
        footer={null}
        destroyOnHidden
        onCancel={() => answer(false)}
      >
        {/* Also while the previous dialog still fades out, the focus starts on Cancel. */}
        {question && <Body key={turn} question={question} onAnswer={answer} />}
      </Modal>
    </ConfirmContext>
  );
}

function Body(props: {
  readonly question: Question;
  readonly onAnswer: (answer: boolean) => void;
}) {
  const { body, ok, cancel, danger, typedLabel, isBlocked = false } = props.question;
  const typed = isBlocked ? null : props.question.typed;
  const t = useTexts();
  const [text, setText] = useState("");
  const id = useId();
  const isTyped = !typed || text.trim() === typed;
  return (
    <form
      className="w-confirm"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !isBlocked) props.onAnswer(true);
      }}
    >
      {body && (
        <div className="w-confirm-body">
          {typeof body === "function" ? body(() => props.onAnswer(false)) : body}
        </div>
      )}
      {typed && (
        <label className="w-field" htmlFor={id}>
          <span className="w-field-label">
            {typedLabel ?? t("confirm.typed", { text: `“${typed}”` })}
          </span>
          <Input
            id={id}
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
          />
        </label>
      )}
      <div className="w-confirm-foot">
        <Button autoFocus={!typed} onClick={() => props.onAnswer(false)}>
          {cancel ?? t(isBlocked ? "act.close" : "act.cancel")}
        </Button>
        {!isBlocked && (
          <Button type="primary" danger={danger ?? false} htmlType="submit" disabled={!isTyped}>
            {ok}
          </Button>
        )}
      </div>
    </form>
  );
}
