import Button from "antd/es/button";
import { useId, useRef } from "react";
import styles from "./import.module.css";

interface Props {
  readonly label: string;
  /** Endings that the person's file dialog offers first; absent: every file. */
  readonly accept?: string;
  readonly isBusy: boolean;
  readonly onPick: (file: File) => void;
}

/** A button that has the person pick one file. */
export function FileButton({ label, accept, isBusy, onPick }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        {...(accept !== undefined && { accept })}
        aria-label={label}
        className={styles.file}
        tabIndex={-1}
        onChange={({ target }) => {
          const [picked] = target.files ?? [];
          if (picked) onPick(picked);
          // So that the same file, corrected, can be picked again.
          target.value = "";
        }}
      />
      <Button loading={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
