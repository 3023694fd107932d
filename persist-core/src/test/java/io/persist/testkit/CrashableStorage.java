package io.persist.testkit;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A directory in memory which forgets at a power cut what was not synced.
 *
 * <ul>
 *   <li>A file is its page cache, which writes, reads and mappings share, and what the device has. {@code sync} makes
 *       all of a file durable, {@code force} and the {@code sync} of a range the pages of 4096 bytes of that, a
 *       write-through the sectors of 512 bytes it touches. Nothing else reaches the device but by {@link #writeBack}.
 *       A file cannot grow while it is mapped.
 *   <li>Creations, renames and deletions are durable after {@code syncDirectory}. Of those that are not, a power cut
 *       keeps a random prefix, as the journal of a file system does.
 *   <li>Each operation that changes something, or maps a file, is counted and announced to the hook, without the
 *       storage's lock. An {@link IOException} which the hook throws makes the operation fail. A sync that fails leaves
 *       its dirty pages marked as clean: later ones do not write them, until they are written again. As on Linux they
 *       succeed, but for the next one of each other handle and mapping that was open then.
 *   <li>A {@link PowerCut} which the hook throws switches the storage off: every operation but close throws it again.
 * </ul>
 *
 * <p>It takes memory for each file twice: use short segments. <b>Threads:</b> any.
 */
public final class CrashableStorage implements Storage {

    /** What a power cut does to data that is not durable. */
    public enum Loss {
        /** Everything had just been written back. */
        ALL_KEPT,
        /** Nothing had been written back. */
        ALL_LOST,
        /** Each dirty sector is old, new or torn at a multiple of 8 bytes; a length may have grown without its data. */
        RANDOM,
        /**
         * Data was written back in the order of the files' creation and of the addresses in each; the last sector that
         * got through is torn.
         */
        ORDERED_PREFIX
    }

    /** Looks at each counted operation before it is done. */
    @FunctionalInterface
    public interface Hook {
        /**
         * Called by the thread that does the operation. It may throw a {@link PowerCut}, and may wait.
         *
         * @param number 1 for the storage's first operation
         * @param what the verb, a space, and the file's name, such as {@code "write control"}; "syncDirectory" alone
         * @throws IOException to make the operation fail: it is not done
         */
        void beforeOperation(int number, String what) throws IOException;
    }

    private final SimulatedDirectory directory;
    private final long boots;
    private final Set<String> locks = new HashSet<>();
    private final AtomicInteger operations = new AtomicInteger();
    private int openHandles;
    private @Nullable PowerCut off;
    private volatile Hook hook = (number, what) -> {};

    /** An empty directory without a hook, and with space for 1 TiB. */
    public CrashableStorage() {
        this(new SimulatedDirectory(), 1);
    }

    private CrashableStorage(SimulatedDirectory directory, long boots) {
        this.directory = directory;
        this.boots = boots;
    }

    /** Calls {@code hook} before each operation from now on; returns this. */
    public CrashableStorage hook(Hook hook) {
        this.hook = hook;
        return this;
    }

    /** Cuts the power in the middle of the counted operation {@code number}: of a write any part may survive. */
    public CrashableStorage cutPowerAt(int number) {
        return hook((n, what) -> {
            if (n >= number) {
                throw new PowerCut("power cut before operation " + n + ": " + what);
            }
        });
    }

    /** How many counted operations there were. */
    public int operations() {
        return operations.get();
    }

    /** The sum of all files' lengths cannot exceed this; returns this. */
    public synchronized CrashableStorage capacityBytes(long bytes) {
        directory.capacityBytes(bytes);
        return this;
    }

    /** From now on nothing can grow: a write beyond the end of its file does a part of it, or nothing, and fails. */
    public synchronized CrashableStorage fillUp() {
        return capacityBytes(directory.usedBytes());
    }

    /** How many files, mappings and locks are not closed. */
    public synchronized int openHandles() {
        return openHandles;
    }

    /** Switches the storage off, for threads which still use it too. */
    public synchronized void powerOff(PowerCut cut) {
        if (off == null) {
            off = cut;
        }
    }

    /** Whether there was a power cut, a crash or a kill. */
    public synchronized boolean isOff() {
        return off != null;
    }

    /**
     * Switches this storage off and returns what a power cut leaves of it, all of it durable. The hook is not kept. It
     * can be called again, for another loss at the same moment.
     */
    public CrashableStorage crash(Random random, Loss loss) {
        return left(random, loss, boots + 1);
    }

    /** The same of a volume that failed and is mounted again, or restored, on a machine that runs on: same boot. */
    public CrashableStorage afterRemount(Random random, Loss loss) {
        return left(random, loss, boots);
    }

    private synchronized CrashableStorage left(Random random, Loss loss, long inBoot) {
        powerOff(new PowerCut("crashed"));
        SimulatedDirectory left = directory.copy();
        left.powerCut(random, loss);
        return new CrashableStorage(left, inBoot);
    }

    /**
     * Switches this storage off and returns what the death of the process leaves: all that was written, no more of it
     * durable than before. Locks are free, the hook is not kept. Waits for threads that only store into mappings.
     */
    public synchronized CrashableStorage afterKill() {
        powerOff(new PowerCut("killed"));
        return new CrashableStorage(directory.copyOfOneMoment(), boots);
    }

    /** What the kernel may do at any moment: writes some dirty sectors of some files to the device. */
    public synchronized void writeBack(Random random) {
        directory.writeBack(random);
    }

    /** What a reader of the file would see now. */
    public synchronized byte[] content(String name) {
        return directory.content(name);
    }

    /** What of the file is on the device, if it will have this name after a power cut, else null. */
    public synchronized byte @Nullable [] durableContent(String name) {
        return directory.durableContent(name);
    }

    /** Makes {@code bytes} the durable content of a file, in place of what it had; not counted. */
    public synchronized void replace(String name, byte[] bytes) {
        directory.replace(name, bytes);
    }

    /** Flips a bit of each place where a file has {@code text}, a byte for each character; not counted. */
    public synchronized void damage(String text) {
        directory.damage(text);
    }

    void announce(String what) throws IOException {
        announce(what, () -> {});
    }

    /** If the power is cut now, the operation is {@code underWay}: what it has done so far may be on the device. */
    void announce(String what, Runnable underWay) throws IOException {
        checkPower();
        try {
            hook.beforeOperation(operations.incrementAndGet(), what);
        } catch (PowerCut cut) {
            synchronized (this) {
                if (off == null) {
                    underWay.run();
                }
            }
            powerOff(cut);
        }
        checkPower();
    }

    synchronized void checkPower() {
        if (off != null) {
            PowerCut again = new PowerCut(String.valueOf(off.getMessage()));
            again.initCause(off);
            throw again;
        }
    }

    synchronized void handleOpened() {
        openHandles++;
    }

    synchronized void handleClosed() {
        openHandles--;
    }

    @Override
    public synchronized List<String> list() {
        checkPower();
        return directory.list();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        announce("create " + name);
        synchronized (this) {
            checkPower();
            if (directory.has(name)) {
                throw new IOException("file exists already: " + name);
            }
            return new CrashableFile(this, directory, directory.create(name), Access.WRITE);
        }
    }

    @Override
    public synchronized StorageFile open(String name, Access access) throws IOException {
        checkPower();
        SimulatedFile file = directory.find(name);
        if (file == null) {
            throw new FileNotFoundException("no such file: " + name);
        }
        return new CrashableFile(this, directory, file, access);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        announce("rename " + from);
        synchronized (this) {
            checkPower();
            if (!directory.has(from)) {
                throw new NoSuchFileException(from);
            }
            directory.rename(from, to);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        announce("delete " + name);
        synchronized (this) {
            checkPower();
            if (!directory.has(name)) {
                throw new NoSuchFileException(name);
            }
            directory.delete(name);
        }
    }

    @Override
    public void syncDirectory() throws IOException {
        announce("syncDirectory");
        synchronized (this) {
            checkPower();
            directory.sync();
        }
    }

    @Override
    public synchronized long usableBytes() {
        checkPower();
        return directory.usableBytes();
    }

    @Override
    public @Nullable WriterLock tryLock(String name) throws IOException {
        announce("tryLock " + name);
        synchronized (this) {
            checkPower();
            if (!locks.add(name)) {
                return null;
            }
            if (!directory.has(name)) {
                directory.create(name);
            }
            return new CrashableLock(this, locks, name);
        }
    }

    @Override
    public synchronized long identity(String name) throws IOException {
        checkPower();
        return directory.identity(name);
    }

    /** Another one after each power cut. */
    @Override
    public BootId bootId() {
        return new BootId(0x5EED, boots);
    }

    @Override
    public String description() {
        return "memory";
    }
}
