/** Whether the login is shown because the controller ended the session: it says so once. */
let isOver = false;

export const markSessionOver = (): void => {
  isOver = true;
};

/** A session began, or the user ended the last one. */
export const forgetSessionOver = (): void => {
  isOver = false;
};

export const wasSessionOver = (): boolean => isOver;
