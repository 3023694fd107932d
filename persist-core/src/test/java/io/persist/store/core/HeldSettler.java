package io.persist.store.core;

import io.persist.format.TransactionLayout;
import io.persist.log.Durability;
import io.persist.store.OldValues;
import io.persist.store.engine.StoreEngine;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.staged.StagedChanges;
import io.persist.support.Await;
import java.util.function.Consumer;

/** Commits large transactions and lets a test say how far the index is with them. */
public final class HeldSettler {

    private final StoreCore core;

    public HeldSettler(StoreEngine store) {
        this.core = store.core();
        Await.until(
                "upkeep, which takes over what nobody goes on with, sleeps", () -> core.ask(store.upkeep()::isWaiting));
    }

    /** Appends a transaction of the changes that {@code stage} adds; the index gets none of them. */
    public void publish(Consumer<StagedChanges> stage) {
        StagedChanges staged = new StagedChanges(core.log().layout().maxPayload(), OldValues.OMIT);
        staged.clear();
        stage.accept(staged);
        staged.enterNew();
        staged.seal(TransactionLayout.TYPE_CHANGES);
        ChangeOrder order = ChangeOrder.ofAll(staged.buffer(), staged.length(), staged.count());
        core.lock();
        try {
            core.state().expected().begin(staged, order);
            while (!core.state().index().budget().expected().reserveSome()) {
                // goes on
            }
            core.appendExpected(staged);
            core.writer().commit(Durability.BUFFERED);
            core.state().expected().end();
        } finally {
            core.unlock();
        }
    }

    /** The index gets so many changes more; returns whether it has all. */
    public boolean settle(int changes) {
        core.lock();
        try {
            return core.state().settle(changes);
        } finally {
            core.unlock();
        }
    }

    public boolean isSettled() {
        return core.ask(core.state()::isSettled);
    }
}
