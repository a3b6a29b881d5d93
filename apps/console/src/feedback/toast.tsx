import App from "antd/es/app";
import { useMemo } from "react";
import { CallError } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { ErrorText } from "./error-text.tsx";

export interface Toast {
  /** Says that it worked, for 3 s. */
  done(text?: string): void;
  /** Says what is missing before it can be done. */
  hint(text: string): void;
  /** Says what is under way until the returned function is called. */
  busy(text: string): () => void;
  /** Says what a success has as its consequence, and stays: each with its own sentence. */
  warned(texts: readonly string[]): void;
  /** Says why it failed, and stays: the message, and the request id to name to an administrator. */
  failed(error: unknown): void;
}

/** A short message about a completed action. Errors of forms appear at their fields instead. */
export const useToast = (): Toast => {
  const { message, notification } = App.useApp();
  const t = useTexts();
  return useMemo(
    () => ({
      done: (text) => void message.success({ content: text ?? t("done"), duration: 3 }),
      hint: (text) => void message.warning({ content: text, duration: 3 }),
      busy: (text) => message.loading({ content: text, duration: 0 }),
      warned: (texts) => {
        for (const title of texts)
          notification.warning({ title, duration: false, placement: "topRight" });
      },
      failed: (error) => {
        notification.error({
          title: error instanceof CallError ? <ErrorText error={error} /> : t("call.failed"),
          duration: false,
          placement: "topRight",
        });
      },
    }),
    [message, notification, t],
  );
};
