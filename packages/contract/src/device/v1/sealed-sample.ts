/**
 * A secret sealed to a device, by which both sides are tried. Its characters are those that a shell or a daemon might read
 * otherwise. Keys are in base64.
 */
export const sealedSample = {
  tunnelPrivateKey: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
  tunnelKey: "E75P6uryBMf9M1j8nAByGIHRdCeBKCJ+xnTzf3/pe20=",
  own: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=",
  secret: "a?b!c#d\"e\\f'$g%h",
  sealed: "V9tLNZ8jrl4Ubk4lEgVnBHIlBjSMFQwUdT0Mkz0E1CHNYZZ4ShNtx9aghDfLnlFuq0FGV5bU9fwVyzBFA7ZPnA",
} as const;
