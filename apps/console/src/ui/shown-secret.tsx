import { CopyButton } from "./copyable.tsx";
import styles from "./shown-secret.module.css";

/** What is shown this once, whole, under its name and with a button that copies it. */
export function ShownSecret({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <div className={styles.label}>
        {label}
        <CopyButton text={text} />
      </div>
      <pre className={styles.secret}>{text}</pre>
    </div>
  );
}
