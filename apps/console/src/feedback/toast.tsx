import App from "antd/es/app";
import { useMemo } from "react";
import { CallError } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { ErrorText } from "./error-text.tsx";

export interface Toast {
  /** Reports success, for 3 s. */
  done(text?: string): void;
  /** Names what is missing before the action is possible. */
  hint(text: string): void;
  /** Reports progress until the returned function is called. */
  busy(text: string): () => void;
  /** Reports consequences of a success, and stays: one sentence each. */
  warned(texts: readonly string[]): void;
  /** Reports a failure, and stays: the message, and the request id for an administrator. */
  failed(error: unknown): void;
}

/** A short message about a completed action. Errors of forms appear below their fields instead. */
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
