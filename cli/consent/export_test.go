package consent

// BrowserOf is the command that opens an address.
var BrowserOf = browserOf
