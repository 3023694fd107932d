package io.persist.tool.verb.flags;

import com.beust.jcommander.Parameter;
import io.persist.tool.StorePlace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a store is. */
public final class StoreFlags {

    @Parameter(
            names = "--checkpoints",
            placeholder = "DIR",
            description = "directory of the store's checkpoints, if that is not the log's")
    private @Nullable Path checkpoints;

    public StorePlace place() {
        return checkpoints == null ? StorePlace.ONE : StorePlace.with(checkpoints);
    }

    public boolean isGiven() {
        return checkpoints != null;
    }
}
