import LibraryModal, { type ModalProps } from "antd/es/modal";
import { useFocusReturn } from "./use-focus-return.ts";

/** A dialog of the library that gives the focus back to where it was. */
export function Modal(props: ModalProps) {
  const leaving = useFocusReturn(props.open ?? false);
  return (
    <LibraryModal
      {...props}
      rootClassName={`${props.rootClassName ?? ""} ${leaving}`.trim()}
      focusable={{ ...props.focusable, focusTriggerAfterClose: false }}
    />
  );
}
