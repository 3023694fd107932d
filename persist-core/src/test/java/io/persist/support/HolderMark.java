package io.persist.support;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.OperatingSystem;
import io.persist.file.disk.ProcessIdentity;
import io.persist.format.LogFileName;
import io.persist.format.control.HolderBlock;
import io.persist.log.control.ControlFile;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The mark of the holder in the control block of a log, as another process writes it. */
public final class HolderMark {

    /** A process that there is, in each pid namespace. */
    private static final long FIRST_PID = 1;

    private HolderMark() {}

    /** The log in {@code directory} is held by {@code process}, in another epoch. */
    public static void put(Path directory, ProcessIdentity process) throws IOException {
        HolderBlock block = map(directory);
        BootId boot = OperatingSystem.bootId();
        long file = DirectoryStorage.open(directory).identity(LogFileName.CONTROL);
        block.epoch(block.epoch() + 1);
        block.holder(new HolderBlock.Holder(
                process.pid(), process.start(), process.namespace(), boot.high(), boot.low(), file));
    }

    /** The holder of the log in {@code directory} is in another pid namespace: it cannot be seen from here. */
    public static void move(Path directory) throws IOException {
        HolderBlock block = map(directory);
        HolderBlock.Holder holder = block.holder();
        block.holder(new HolderBlock.Holder(
                holder.pid(),
                holder.start(),
                holder.namespace() + 1,
                holder.bootIdHigh(),
                holder.bootIdLow(),
                holder.file()));
    }

    /** The holder of the log in {@code storage}, if it has a control block, is one of which only the pid is known. */
    public static void hide(Storage storage) throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.WRITE)) {
            if (control != null) {
                BootId boot = storage.bootId();
                control.block().holder().holder(new HolderBlock.Holder(FIRST_PID, 0, 0, boot.high(), boot.low(), 0));
            }
        }
    }

    public static HolderBlock.Holder get(Path directory) throws IOException {
        return map(directory).holder();
    }

    /** Unmapped when it is garbage: a page of a test. */
    private static HolderBlock map(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(
                directory.resolve(LogFileName.CONTROL), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer page = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            page.order(ByteOrder.LITTLE_ENDIAN);
            return new HolderBlock(page);
        }
    }
}
