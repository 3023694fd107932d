package io.persist.command;

/** The command line asks for something that makes no sense. The message names the flag, the value and the remedy. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
