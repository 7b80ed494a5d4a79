package discover

// Commands are the words of the curl commands in a text.
var Commands = commands

// LoginToken stands for the token of a login in them.
const LoginToken = loginToken
