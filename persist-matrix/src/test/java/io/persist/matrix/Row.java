package io.persist.matrix;

/** A row of the matrix: something that happens to a log. docs/matrix.md has them with the counts of a long run. */
public enum Row {
    KILL(1, "kill -9 at a random moment, several lives", 8),
    POWER_CUT_EVERYWHERE(2, "power cut at every operation of a script", 6),
    POWER_CUT_ANYTIME(3, "power cuts at random, several lives, early write-back", 12),
    POWER_CUT_IN_RECOVERY(4, "power cut in a recovery, then another one", 6),
    NEGATIVE_CONTROL(5, "builds that are broken on purpose are found out", 0),
    BIT_FLIP(6, "every bit of a log flipped", 4),
    TRUNCATION(7, "a file cut at every length", 2),
    SPOILT_BLOCK(8, "a sector or page of zeros, ones or noise", 4),
    MISDIRECTED(9, "blocks exchanged; frames of another log, another place, another life", 6),
    STALE_TAIL(10, "what was cut from a tail does not come back", 6),
    DISK_FULL(11, "a disk that is full after any number of bytes", 4),
    DISK_FULL_MAPPED(12, "a real file system that is full", 2),
    IO_ERROR(13, "EIO at the n-th write, sync, force", 4),
    FAILED_SYNC_REOPENED(14, "a failed sync, reopening, then a power cut", 4),
    READ_ERROR(15, "EIO when reading; a file cut under its mapping", 2),
    SHORT_WRITE(16, "short writes, slow syncs", 2),
    BAD_DIRECTORY(17, "no rights, no directory, no descriptors, strange files", 0),
    TWO_WRITERS(18, "two processes open one log", 4),
    FOREIGN_FILE(19, "files of others, of no one, of a newer version", 0),
    BAD_LENGTH(20, "lengths that cannot be", 0),
    FUZZING(21, "coverage-guided fuzzing of open, read and recovery", 0),
    CLOCK_JUMP(22, "the clock jumps", 1),
    DEAD_WRITER(23, "an exception or error in a thread of the log, at each step", 2),
    INTERRUPT(24, "interrupts of appenders, committers and readers", 6),
    MANY_LIVES(25, "thousands of openings and closings, nothing left behind", 5),
    TAILING_READER(26, "a reader in its own process while 1, 3, 11 and 13 happen", 5),
    SOAK(27, "everything together, a model beside it", 5),
    RECOVERY_WORK(28, "what a recovery reads is bounded", 0),
    UPGRADE(29, "files of every released version", 0),
    REMOUNT(30, "a volume that fails, or is set back, while the machine runs on", 12),
    MANY_THREADS(31, "several threads use one attached logger, and another one closes it", 2),
    RECYCLED_FILE(32, "segments in files that were used before", 4);

    private final int number;
    private final String fault;
    private final int share;

    /** {@code share} is that of a night's time for cases beyond the needed ones, in percent. */
    Row(int number, String fault, int share) {
        this.number = number;
        this.fault = fault;
        this.share = share;
    }

    public int number() {
        return number;
    }

    public String fault() {
        return fault;
    }

    int share() {
        return share;
    }
}
