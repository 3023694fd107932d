package io.persist.backup.kept;

import io.persist.archive.ArchiveManifest;
import io.persist.error.Limits;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.FileReason;
import io.persist.file.disk.RealPath;
import io.persist.format.LogFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What a backup in a directory was like after earlier runs. Each of these is a backup of its own, in the directory
 * {@code kept} of the first one, and its files are hard links. That is enough since a run replaces files and writes to
 * none. A kept backup has its name once all of it is synced, and loses it before the first of its files is deleted.
 *
 * <p><b>Threads:</b> one at a time, which has the lock of the backup; {@link #of} any.
 */
public final class KeptBackups {

    /** Is told what comes next. What it throws ends the work there, as a crash does. */
    interface Steps {
        void before(String step) throws IOException;
    }

    /** The directory that they are in, within that of the backup. */
    public static final String DIRECTORY = "kept";

    /** How many there can be: a file has a name in each, and a file system has a limit for that, ext4 65,000. */
    public static final int MAX_COUNT = 10_000;

    /** A name, which has no colons: not every file system takes them. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HHmmssX").withZone(ZoneOffset.UTC);

    private static final String TEMPORARY_SUFFIX = LogFileName.TEMPORARY_SUFFIX;

    private final Path backup;
    private final int count;
    private final InstantSource clock;
    private final Steps steps;

    /**
     * Those of the directory {@code backup}.
     *
     * @param count how many are kept
     * @throws IllegalArgumentException if {@code count} is less than 1 or more than {@value #MAX_COUNT}
     */
    public KeptBackups(Path backup, int count) {
        this(backup, count, InstantSource.system(), step -> {});
    }

    KeptBackups(Path backup, int count, InstantSource clock, Steps steps) {
        Limits.check("count", count, 1, MAX_COUNT);
        this.backup = backup;
        this.count = count;
        this.clock = clock;
        this.steps = steps;
    }

    /** The directories of those that are kept of the one in {@code backup}, oldest first. Others have other names. */
    public static List<Path> of(Path backup) throws IOException {
        if (!DirectoryStorage.open(backup).list().contains(DIRECTORY)) {
            return List.of();
        }
        Path all = backup.resolve(DIRECTORY);
        return names(DirectoryStorage.open(all), "").stream().map(all::resolve).toList();
    }

    /** The directories whose names are a time and {@code suffix}, oldest first. A link may lead to what is not ours. */
    private static List<String> names(DirectoryStorage kept, String suffix) throws IOException {
        Path all = Path.of(kept.description());
        List<String> names = new ArrayList<>();
        for (String name : kept.list()) {
            boolean isTime = name.endsWith(suffix) && isTime(name.substring(0, name.length() - suffix.length()));
            if (isTime && RealPath.of(all.resolve(name)).equals(all.resolve(name))) {
                names.add(name);
            }
        }
        names.sort(null);
        return names;
    }

    /** Whether {@code directory} has the name and the place of one that is kept. */
    public static boolean isOne(Path directory) {
        Path parent = directory.getParent();
        return parent != null && parent.endsWith(DIRECTORY) && isTime(String.valueOf(directory.getFileName()));
    }

    private static boolean isTime(String name) {
        try {
            return TIME.format(TIME.parse(name)).equals(name);
        } catch (DateTimeException e) {
            return false;
        }
    }

    /**
     * Keeps the backup as it is now, which is complete and synced, unless the newest one that is kept is the same. Then
     * those beyond the count go, oldest first. What an earlier call has left unfinished is deleted before.
     *
     * @param files of the backup, without its manifest
     * @throws IOException if it cannot be done; each one that has its name is whole all the same
     */
    public void keep(List<String> files) throws IOException {
        DirectoryStorage current = DirectoryStorage.open(backup);
        DirectoryStorage kept = DirectoryStorage.create(backup.resolve(DIRECTORY));
        for (String unfinished : names(kept, TEMPORARY_SUFFIX)) {
            delete(kept, unfinished);
        }
        List<String> names = new ArrayList<>(names(kept, ""));
        String newest = names.isEmpty() ? "" : names.get(names.size() - 1);
        if (newest.isEmpty() || !isSame(current, open(kept, newest))) {
            names.add(add(current, kept, files, nameAfter(newest)));
        } else {
            sync(kept); // the run that kept it may have been killed before it did
        }
        for (String name : names.subList(0, Math.max(0, names.size() - count))) {
            steps.before("rename " + name);
            kept.rename(name, name + TEMPORARY_SUFFIX);
            sync(kept); // else a power cut may give it its name back, without some of its files
            delete(kept, name + TEMPORARY_SUFFIX);
        }
    }

    /** Each commit of a backup makes a new manifest. */
    private static boolean isSame(DirectoryStorage current, DirectoryStorage other) throws IOException {
        long identity = current.identity(ArchiveManifest.NAME);
        return identity != 0
                && other.list().contains(ArchiveManifest.NAME)
                && other.identity(ArchiveManifest.NAME) == identity;
    }

    /** The time now, or a second more than the newest one has if the clock was put back. */
    private String nameAfter(String newest) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant next =
                newest.isEmpty() ? now : TIME.parse(newest, Instant::from).plusSeconds(1);
        return TIME.format(now.isBefore(next) ? next : now);
    }

    private String add(DirectoryStorage current, DirectoryStorage kept, List<String> files, String name)
            throws IOException {
        String unfinished = name + TEMPORARY_SUFFIX;
        steps.before("create " + unfinished);
        DirectoryStorage made =
                DirectoryStorage.create(backup.resolve(DIRECTORY).resolve(unfinished));
        for (String file : files) {
            link(current, file, made);
        }
        link(current, ArchiveManifest.NAME, made);
        sync(made);
        steps.before("rename " + unfinished);
        kept.rename(unfinished, name);
        sync(kept);
        return name;
    }

    private void link(DirectoryStorage from, String file, DirectoryStorage to) throws IOException {
        steps.before("link " + file);
        try {
            from.link(file, to);
        } catch (IOException | UnsupportedOperationException e) {
            String why = e instanceof IOException io ? FileReason.of(io) : "it has no hard links";
            throw new IOException(
                    "no hard link can be made: " + to.description() + "/" + file + ", " + why
                            + "; keep several where there is space and hard links, or run without --keep",
                    e);
        }
    }

    private void delete(DirectoryStorage kept, String name) throws IOException {
        DirectoryStorage unfinished = open(kept, name);
        for (String file : unfinished.list()) {
            steps.before("delete " + file);
            unfinished.delete(file);
        }
        steps.before("delete " + name);
        kept.deleteDirectory(name);
    }

    private void sync(DirectoryStorage directory) throws IOException {
        steps.before("sync " + Path.of(directory.description()).getFileName());
        directory.syncDirectory();
    }

    private static DirectoryStorage open(DirectoryStorage kept, String name) throws IOException {
        return DirectoryStorage.open(Path.of(kept.description()).resolve(name));
    }
}
