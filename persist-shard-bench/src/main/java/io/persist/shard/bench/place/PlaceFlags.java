package io.persist.shard.bench.place;

import com.beust.jcommander.Parameter;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The flags that say where shards are, and where results go: the programs that measure have them beside their own. */
public final class PlaceFlags {

    /** What a place is called that is there already. */
    private static final String GIVEN = "given";

    @Parameter(
            names = "--backend",
            order = 1,
            placeholder = "NAME",
            description = "mem; file: files, journal; postgres: files, PostgreSQL; s3: S3, PostgreSQL; of its own")
    private String backend;

    @Parameter(
            names = "--blob-uri",
            order = 2,
            placeholder = "URI",
            description = "in place of --backend: a blob that is there; what is measured is deleted in the end")
    private @Nullable String blobUri;

    @Parameter(
            names = "--consensus-uri",
            order = 3,
            placeholder = "URI",
            description = "with --blob-uri: the consensus to it")
    private @Nullable String consensusUri;

    @Parameter(
            names = "--dir",
            order = 4,
            placeholder = "DIR",
            description = "where a backend makes a directory for its files")
    private Path dir = Path.of(".");

    @Parameter(
            names = "--output",
            order = 90,
            placeholder = "DIR",
            description = "where to leave the run for bin/persist report")
    private @Nullable Path output;

    /** With a backend unless others are given: names parted by commas. */
    public PlaceFlags(String backend) {
        this.backend = backend;
    }

    /**
     * Checks all values.
     *
     * @throws UsageException if one is of no use
     */
    public void validate() {
        if ((blobUri == null) != (consensusUri == null)) {
            throw new UsageException("--blob-uri and --consensus-uri belong together; give both or none");
        }
        if (presets().stream().anyMatch(Preset::hasFiles)) {
            Checks.directory("--dir", dir);
        }
        if (output != null) {
            Checks.directory("--output", output);
        }
    }

    /** The presets that are named; none if places are given. */
    private List<Preset> presets() {
        List<Preset> found = new ArrayList<>();
        if (blobUri != null) {
            return found;
        }
        for (String name : backend.split(",", -1)) {
            Preset preset = Arrays.stream(Preset.values())
                    .filter(each -> each.id().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(
                            "--backend " + name + " is none of " + known() + "; choose one, or give --blob-uri"));
            if (!found.contains(preset)) {
                found.add(preset);
            }
        }
        return found;
    }

    private static String known() {
        return Arrays.stream(Preset.values()).map(Preset::id).collect(Collectors.joining(", "));
    }

    /** What the places are called that are asked for, in the order of {@link #all}. */
    public List<String> names() {
        return isOwn() ? presets().stream().map(Preset::id).toList() : List.of(GIVEN);
    }

    /** Whether the program has the place for itself, so that nothing of it stays. */
    public boolean isOwn() {
        return blobUri == null;
    }

    /** Whether the objects are files below the directory. */
    public boolean hasFilesInDir() {
        String blob = blobUri;
        return blob == null
                ? presets().stream().allMatch(Preset::hasFiles)
                : blob.startsWith("file:") && isBelow(blob, dir);
    }

    private static boolean isBelow(String uri, Path directory) {
        try {
            return Path.of(URI.create(uri))
                    .startsWith(directory.toAbsolutePath().normalize());
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    /** Opens a place. */
    @FunctionalInterface
    public interface Opener {

        /** The place, which the caller closes. */
        Place open() throws IOException;
    }

    /** What opens each of the places that are asked for. */
    public List<Opener> all() {
        String blob = blobUri;
        String consensus = consensusUri;
        if (blob != null && consensus != null) {
            return List.of(() -> given(blob, consensus));
        }
        return presets().stream().<Opener>map(preset -> () -> preset.open(dir)).toList();
    }

    private static Place given(String blob, String consensus) {
        try {
            return Preset.open(GIVEN, blob, consensus, List.of(), List.of());
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(Uris.shown(String.valueOf(wrong.getMessage())));
        }
    }

    /** What opens the one place. */
    public Opener one() {
        List<Opener> all = all();
        if (all.size() != 1) {
            throw new UsageException("--backend " + backend + " is " + all.size() + "; give one of " + known());
        }
        return all.get(0);
    }

    /** What is measured, for headings. */
    public String text() {
        String blob = blobUri;
        String consensus = consensusUri;
        return blob == null || consensus == null ? backend : Uris.shown(blob) + " and " + Uris.shown(consensus);
    }

    /** The directory that is measured, or "." */
    public Path dir() {
        return dir;
    }

    /** Where results are left, or null. */
    public @Nullable Path output() {
        return output;
    }
}
