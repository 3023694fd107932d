package io.persist.testkit;

import io.persist.file.Storage;

/**
 * A program to be tried by a {@link CrashExplorer}: what it does in one life, and what has to be there after it. Its
 * fields are what it knows of all lives: what was acknowledged to it.
 *
 * <p><b>Threads:</b> both methods are called by the thread that explores. A life may have threads of its own, and has
 * to wait until they have ended.
 */
public interface CrashScript {

    /**
     * One life of the program: opens its loggers on {@code storage}, works, and notes what was acknowledged after the
     * commit that did it. It begins on an empty storage or on what earlier lives have left, and goes on from there.
     *
     * <p>It closes what it has opened, whatever happens: {@code try} with resources does. It lets the {@link PowerCut}
     * or the exception pass that a fault throws at it; a program that handles some of them may do so. Without a fault
     * it must not throw. What is random in it has to be the same in each new script.
     */
    void run(Storage storage) throws Exception;

    /**
     * Opens what the last life has left, as the program would after a restart, and looks at it: throws if something
     * acknowledged is missing, or something is there that must not. It reads only, and closes what it has opened.
     *
     * <p>It is called several times for one moment, and also when the power is cut during it.
     *
     * @return what it saw, to be compared by {@code equals}: the next opening has to see the same
     */
    Object check(Storage storage) throws Exception;
}
