import useAppStyle from "antd/es/app/style";
import useMessage from "antd/es/message/useMessage";
import useNotification from "antd/es/notification/useNotification";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { CallError } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { ErrorText } from "./error-text.tsx";
import { showWarnings } from "./last-warnings.ts";

export interface Toast {
  /** Reports success, for 3 s. */
  done(text?: string): void;
  /** Names what is missing before the action is possible. */
  hint(text: string): void;
  /** Reports progress until the returned function is called. */
  busy(text: string): () => void;
  /** Reports consequences of a save above the screen, in place of those of the save before: one sentence each. */
  warned(texts: readonly string[]): void;
  /** Reports a failure, and stays: the message, and the request id for an administrator. */
  failed(error: unknown): void;
}

interface Places {
  readonly message: ReturnType<typeof useMessage>[0];
  readonly notification: ReturnType<typeof useNotification>[0];
}

/** Outside of the provider nothing can be shown; a page is never there. */
const PlacesContext = createContext({} as Places);

/** Holds the toasts of all pages. The library's own one (`App`) brings dialogs along that are called and not rendered. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  // What is about all of its components: links and icons.
  useAppStyle("ant-app");
  const [message, messages] = useMessage();
  const [notification, notifications] = useNotification();
  const places = useMemo(() => ({ message, notification }), [message, notification]);
  return (
    <PlacesContext value={places}>
      {messages}
      {notifications}
      {children}
    </PlacesContext>
  );
}

/** A short message about a completed action. Errors of forms appear below their fields instead. */
export const useToast = (): Toast => {
  const { message, notification } = useContext(PlacesContext);
  const t = useTexts();
  return useMemo(
    () => ({
      done: (text) => void message.success({ content: text ?? t("done"), duration: 3 }),
      hint: (text) => void message.warning({ content: text, duration: 3 }),
      busy: (text) => message.loading({ content: text, duration: 0 }),
      warned: showWarnings,
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
