package io.persist.tool;

/** What a tool's process returns; the worst of several is the largest. */
public final class ExitCode {

    /** It did what was asked, and the log is not damaged. */
    public static final int OK = 0;

    /** The log is damaged, or something could not be done. */
    public static final int FAILURE = 1;

    /** The command line makes no sense. */
    public static final int USAGE = 2;

    /**
     * Who read the output has closed the pipe before the end: what a shell says of a program that the signal SIGPIPE
     * ended.
     */
    public static final int OUTPUT_CLOSED = 128 + 13;

    /** There was nothing to copy: what was asked for is there already, or there is nothing of it yet. */
    public static final int NOTHING = 3;

    /** Everything that was left was salvaged, but not everything was left. */
    public static final int LOSSES = 4;

    private ExitCode() {}
}
