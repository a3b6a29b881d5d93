/** Parts of the console whose files are fetched when they are first shown, and what is there when these do not come. */
import Button from "antd/es/button";
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from "react";
import { useTexts } from "#client/texts.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { useToast } from "./toast.tsx";

/** Closes the dialog or drawer that a part would be; null: the part has a place on the page. */
const NotOpenedContext = createContext<(() => void) | null>(null);

interface Source<Props> {
  /** Null: it was not fetched yet. */
  loaded: ComponentType<Props> | null;
  fetch(): Promise<ComponentType<Props>>;
  readonly waiting: ReactNode;
}

type Later<Props> = ComponentType<Props> & {
  /** Fetches its files for a first rendering with them; rejects when they do not come. */
  fetch(): Promise<unknown>;
};

/**
 * A component whose files are fetched when it is first rendered. When they do not come (the network failed, or another version
 * of the console was deployed), this part alone says so and offers another attempt: React's `lazy` keeps a failure for good and
 * puts an error in place of the whole page, with what was typed there.
 * @param waiting shown until they are there
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): Later<Props> {
  const source: Source<Props> = {
    loaded: null,
    async fetch() {
      source.loaded = await load();
      return source.loaded;
    },
    waiting,
  };
  const { fetch } = source;
  return Object.assign((props: Props) => <Part source={source} props={props} />, { fetch });
}

interface PartProps<Props> {
  readonly source: Source<Props>;
  readonly props: Props;
}

function Part<Props extends object>({ source, props }: PartProps<Props>) {
  const notOpened = useContext(NotOpenedContext);
  const [Loaded, setLoaded] = useState(() => source.loaded);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    if (Loaded !== null || isMissing) return;
    let isGone = false;
    source.fetch().then(
      (part) => {
        if (!isGone) setLoaded(() => part);
      },
      (error: unknown) => {
        console.warn("a part of the console did not come", error);
        if (!isGone) setMissing(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [source, Loaded, isMissing]);
  useEffect(() => {
    if (isMissing) notOpened?.();
  }, [isMissing, notOpened]);
  if (Loaded !== null) {
    // Parts inside of it have places there.
    return (
      <NotOpenedContext value={null}>
        <Loaded {...props} />
      </NotOpenedContext>
    );
  }
  if (!isMissing) return source.waiting;
  return notOpened === null && <NotThere again={() => setMissing(false)} />;
}

function NotThere({ again }: { readonly again: () => void }) {
  const t = useTexts();
  return (
    <div className="w-not-there" role="alert">
      <span className="w-state">
        <StatusGlyph glyph="bad" />
        {t("page.partNotLoaded")}
      </span>
      <Button size="small" onClick={again}>
        {t("act.retry")}
      </Button>
    </div>
  );
}

interface Props {
  readonly open: boolean;
  /** Closes it; also called when its files do not come. */
  readonly onClose: () => void;
  /** A dialog or drawer created with `later`. */
  readonly children: ReactNode;
}

/**
 * A dialog or drawer whose files are loaded when it is opened for the first time; afterwards it stays mounted, so that it
 * closes with an animation. If they do not come, it closes again with a hint, and can be opened anew.
 */
export function OpenedLater({ open, onClose, children }: Props) {
  const t = useTexts();
  const toast = useToast();
  const [stage, setStage] = useState<"unopened" | "wanted" | "missing">("unopened");
  // Set during rendering: the click that opens it requests the files.
  if (open && stage === "unopened") setStage("wanted");
  if (!open && stage === "missing") setStage("unopened");
  const notOpened = (): void => {
    setStage("missing");
    toast.hint(t("page.partNotLoaded"));
    onClose();
  };
  return stage === "wanted" && <NotOpenedContext value={notOpened}>{children}</NotOpenedContext>;
}
