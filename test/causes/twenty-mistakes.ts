/** A mistake of somebody new to Centavo, how it is made, and what the failing test has to say first. */
export interface Mistake {
  readonly mistake: string;
  readonly variant: string;
  readonly says: RegExp;
  /** Whether the test's own error says it, above the report. */
  readonly byItself?: boolean;
  /** The test in which it is made, if it takes another runner. */
  readonly isIn?: string;
}

/**
 * Twenty typical mistakes, written from the README and the guide alone, before any rule was made to fit them.
 * Each answer says what is certain. Where Centavo cannot know the mistake, it names what to look at.
 */
export const mistakes: readonly Mistake[] = [
  { mistake: "01 credentials", variant: "another client secret", says: /login was refused.*sim\.credentials/ },
  { mistake: "01 credentials", variant: "a variable of the environment that is not set", says: /client_secret/ },
  { mistake: "02 tokens", variant: "a token of an earlier test", says: /earlier|no access token that this simulator/ },
  { mistake: "02 tokens", variant: "a header without Bearer", says: /Bearer/ },
  {
    mistake: "02 tokens",
    variant: "a token that expired while Date stood still",
    says: /token expired on the virtual clock/,
  },
  { mistake: "02 tokens", variant: "a refresh token that is used twice", says: /refresh token.*(again|before|once)/ },
  { mistake: "03 the base URL", variant: "a misspelt host", says: /api\.pay\.exmaple.*https:\/\/api\.pay\.example/ },
  { mistake: "03 the base URL", variant: "a path too many", says: /\/v1\/.*base URL/ },
  { mistake: "03 the base URL", variant: "the host of the sandbox", says: /base URL.*https:\/\/api\.pay\.example/s },
  { mistake: "04 the way in", variant: "fetch without the part network", says: /intercept/ },
  { mistake: "04 the way in", variant: "axios without the part network", says: /intercept/ },
  {
    mistake: "04 the way in",
    variant: "Jest without the flag",
    says: /--experimental-vm-modules/,
    isIn: "test/runners/jest-without-the-flag.test.ts",
  },
  { mistake: "05 no settle", variant: "after a payment by card", says: /settle\(\)/ },
  { mistake: "05 no settle", variant: "after a checkout", says: /settle\(\)/ },
  { mistake: "05 no settle", variant: "a shop that polls", says: /times at .*manual clock/ },
  {
    mistake: "06 no await",
    variant: "before clock.settle",
    says: /sim\.clock\.settle.*await|await sim\.clock\.settle/,
  },
  { mistake: "06 no await", variant: "before customer.pay", says: /customer\.pay.*await/ },
  { mistake: "06 no await", variant: "before visit", says: /visit.*await/ },
  { mistake: "06 no await", variant: "before the shop's own call", says: /await/ },
  { mistake: "07 who receives", variant: "no app is connected", says: /no app.*sim\.connect/s },
  {
    mistake: "07 who receives",
    variant: "connected at www",
    says: /www\.shop\.example.*sim\.connect|sim\.connect.*www/s,
  },
  { mistake: "07 who receives", variant: "no webhookUrl", says: /webhookUrl/ },
  { mistake: "07 who receives", variant: "a port on which nothing listens", says: /nothing listen/i },
  { mistake: "08 the route", variant: "another path", says: /\/webhooks .*404/ },
  { mistake: "08 the route", variant: "a slash that is redirected", says: /\/hooks .*308/ },
  { mistake: "09 the signature", variant: "another secret", says: /401.*webhookSecret/ },
  { mistake: "09 the signature", variant: "express.json before the route", says: /raw body|raw bytes|parsed/ },
  { mistake: "09 the signature", variant: "no secret at all", says: /secret/ },
  {
    mistake: "10 the handler",
    variant: "a field that the event does not have",
    says: /Cannot read properties of undefined/,
  },
  {
    mistake: "10 the handler",
    variant: "the same, after its answer",
    says: /after its answer.*Cannot read properties/,
  },
  { mistake: "10 the handler", variant: "never ends its response", says: /did not answer|no answer/ },
  { mistake: "10 the handler", variant: "answers 400 to a type that it does not know", says: /answered .* with 400/ },
  { mistake: "10 the handler", variant: "a timer of ten seconds after its answer", says: /timer.*10 s|10 seconds/ },
  { mistake: "11 the key", variant: "one key for two amounts", says: /Idempotency-Key/ },
  { mistake: "11 the key", variant: "one key for every order", says: /Idempotency-Key/ },
  { mistake: "12 amounts", variant: "pesos for centavos", says: /centavos/ },
  { mistake: "12 amounts", variant: "a fraction", says: /centavos/ },
  { mistake: "12 amounts", variant: "a text", says: /amount/ },
  { mistake: "13 declines", variant: "axios throws for 402", says: /402.*not a failure|402.*result/s },
  { mistake: "13 declines", variant: "the shop throws unless response.ok", says: /402.*not a failure|402.*result/s },
  { mistake: "14 the card", variant: "one that is declined", says: /pm_card_stolen/ },
  { mistake: "14 the card", variant: "one that is challenged", says: /customer.*authenticat/s },
  { mistake: "14 the card", variant: "a misspelt id", says: /pm_card_aproved/ },
  {
    mistake: "14 the card",
    variant: "renewals are declined, beside a decline on purpose",
    says: /pm_card_declines_renewals/,
  },
  { mistake: "15 two clocks", variant: "fake timers with Date", says: /Date.*fake|fake.*Date/i },
  { mistake: "15 two clocks", variant: "fake timers under a shop that sleeps", says: /[Ff]ake timers/ },
  { mistake: "15 two clocks", variant: "a daily job by setInterval", says: /real time/ },
  { mistake: "15 two clocks", variant: "settle in place of advance", says: /due|later/ },
  { mistake: "16 the clock", variant: "moved by the handler", says: /handler/ },
  { mistake: "16 the clock", variant: "moved twice at once", says: /one (call )?after (the )?other|awaited|await/ },
  { mistake: "17 faults", variant: "planned too late", says: /never fired/ },
  { mistake: "17 faults", variant: "a misspelt route", says: /payment-intent\.create/, byItself: true },
  { mistake: "17 faults", variant: "a call that is held", says: /held until/ },
  { mistake: "17 faults", variant: "a call that hangs", says: /hangs/ },
  { mistake: "18 misread", variant: "a status misspelt in the shop", says: /your app answered.*(status|compare)/s },
  { mistake: "18 misread", variant: "an event type misspelt in the shop", says: /your app answered.*(type|compare)/s },
  { mistake: "18 misread", variant: "a status misspelt in the test", says: /succeeded/, byItself: true },
  { mistake: "18 misread", variant: "an id read from the wrong field", says: /undefined.*404/ },
  { mistake: "19 what is asked", variant: "a checkout without its contact", says: /400.*contact/ },
  { mistake: "19 what is asked", variant: "a session that has expired", says: /expired/ },
  { mistake: "19 what is asked", variant: "an intent confirmed twice", says: /confirmed/ },
  { mistake: "20 the order", variant: "stored after the answer to its webhook", says: /order/ },
  { mistake: "20 the order", variant: "looked up by a field that only other events have", says: /404|answered/ },
];
