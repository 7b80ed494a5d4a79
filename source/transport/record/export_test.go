package record

// CleanLogin is what a recording shows of a login's answer.
var CleanLogin = cleanLogin
