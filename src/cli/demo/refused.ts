/** A step of the demo came to nothing; the message says which and why. */
export class Refused extends Error {}
