BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE certificates (
	fingerprint VARCHAR(64) NOT NULL, 
	player_id INTEGER NOT NULL, 
	first_used_at DATETIME NOT NULL, 
	CONSTRAINT pk_certificates PRIMARY KEY (fingerprint), 
	CONSTRAINT fk_certificates_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "certificates" VALUES('2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90',1,'2026-11-20 14:02:00.000000');
INSERT INTO "certificates" VALUES('81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9',2,'2026-11-20 14:02:00.000000');
INSERT INTO "certificates" VALUES('4c26d9074c27d89ede59270c0ac14b71e071b15239519f75474b2f3ba63481f5',3,'2026-11-20 14:02:00.000000');
CREATE TABLE games (
	id VARCHAR(10) NOT NULL, 
	variant VARCHAR(16) NOT NULL, 
	listed BOOLEAN NOT NULL, 
	x_player_id INTEGER, 
	o_player_id INTEGER, 
	status VARCHAR(16) NOT NULL, 
	winner VARCHAR(1), 
	x_points FLOAT, 
	o_points FLOAT, 
	ply INTEGER NOT NULL, 
	turn VARCHAR(1) NOT NULL, 
	turn_counter INTEGER NOT NULL, 
	draw_offered_by VARCHAR(1), 
	x_offered_at_turn INTEGER, 
	o_offered_at_turn INTEGER, 
	created_at DATETIME NOT NULL, 
	moved_at DATETIME NOT NULL, 
	ended_at DATETIME, x_bot VARCHAR(16), o_bot VARCHAR(16), bot_to_move BOOLEAN DEFAULT 0 NOT NULL, hints INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT fk_games_x_player_id_players FOREIGN KEY(x_player_id) REFERENCES players (id), 
	CONSTRAINT fk_games_o_player_id_players FOREIGN KEY(o_player_id) REFERENCES players (id)
);
INSERT INTO "games" VALUES('ugz44foseq','tinc',1,1,2,'finished','X',1.0,0.0,5,'O',5,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0);
INSERT INTO "games" VALUES('caak7t244p','ultimate',1,1,2,'finished','X',1.0,0.0,21,'O',21,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0);
INSERT INTO "games" VALUES('jakzwnjj6k','numeric',1,1,2,'finished','O',0.0,1.0,4,'X',4,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0);
INSERT INTO "games" VALUES('ofkmcb2kzk','quantum',1,1,2,'finished','X',1.0,0.5,7,'X',7,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0);
INSERT INTO "games" VALUES('wr6aa5filx','extreme',1,1,2,'finished','X',1.0,0.0,25,'O',25,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0);
INSERT INTO "games" VALUES('vvilresabi','ultimate',0,1,2,'playing',NULL,NULL,NULL,2,'X',2,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,NULL,0,0);
INSERT INTO "games" VALUES('yefj3veqja','tinc',1,3,NULL,'waiting',NULL,NULL,NULL,0,'X',0,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,NULL,0,0);
INSERT INTO "games" VALUES('2b5c67aunl','numeric',0,1,1,'playing',NULL,NULL,NULL,0,'X',0,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,NULL,0,0);
INSERT INTO "games" VALUES('oatb4bjck5','numeric',0,1,NULL,'playing',NULL,NULL,NULL,0,'X',0,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,'novice',0,0);
CREATE TABLE moves (
	game_id VARCHAR(10) NOT NULL, 
	ply INTEGER NOT NULL, 
	move VARCHAR(64) NOT NULL, 
	side VARCHAR(1) NOT NULL, 
	played_at DATETIME NOT NULL, 
	CONSTRAINT pk_moves PRIMARY KEY (game_id, ply), 
	CONSTRAINT fk_moves_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "moves" VALUES('ugz44foseq',1,'a1','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ugz44foseq',2,'c1','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ugz44foseq',3,'b3+d3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ugz44foseq',4,'d4','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ugz44foseq',5,'a3+e3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',1,'d7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',2,'c3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',3,'h8','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',4,'e4','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',5,'e2','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',6,'e6','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',7,'e7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',8,'d3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',9,'a9','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',10,'b7','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',11,'e3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',12,'e9','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',13,'f7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',14,'i3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',15,'g9','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',16,'c9','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',17,'i7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',18,'g3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',19,'b8','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',20,'f6','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('caak7t244p',21,'c7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('jakzwnjj6k',1,'a1=5','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('jakzwnjj6k',2,'a2=8','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('jakzwnjj6k',3,'c1=1','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('jakzwnjj6k',4,'a3=2','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',1,'b1+a3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',2,'a2+b3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',3,'b1+b2','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',4,'a1+a3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',5,'b1+b3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',6,'a3+b3','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('ofkmcb2kzk',7,'a3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',1,'k8','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',2,'o6','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',3,'r9','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',4,'i9','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',5,'r7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',6,'i1','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',7,'q3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',8,'o9','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',9,'r8','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',10,'r6','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',11,'g9','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',12,'l7','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',13,'r1','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',14,'r3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',15,'h8','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',16,'m4','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',17,'c1','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',18,'p3','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',19,'b9','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',20,'o8','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',21,'p6','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',22,'j7','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',23,'b2','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',24,'o5','O','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('wr6aa5filx',25,'q6','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('vvilresabi',1,'e5','X','2026-11-20 14:02:00.000000');
INSERT INTO "moves" VALUES('vvilresabi',2,'d4','O','2026-11-20 14:02:00.000000');
CREATE TABLE players (
	id INTEGER NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	likeness VARCHAR(24) NOT NULL, 
	actions INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT uq_players_likeness UNIQUE (likeness)
);
INSERT INTO "players" VALUES(1,'alice','allce',8,'2026-11-20 14:02:00.000000');
INSERT INTO "players" VALUES(2,'bob','bob',0,'2026-11-20 14:02:00.000000');
INSERT INTO "players" VALUES(3,'carol','carol',1,'2026-11-20 14:02:00.000000');
CREATE TABLE secrets (
	name VARCHAR(32) NOT NULL, 
	value BLOB NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('action keys',X'3365093AE54FD35EA7F758F66C361860D1385720A6177031DAE16EB4B010350B');
CREATE INDEX ix_certificates_player_id ON certificates (player_id);
CREATE INDEX ix_games_x_player ON games (x_player_id, status, moved_at, id);
CREATE INDEX ix_games_o_player ON games (o_player_id, status, moved_at, id);
CREATE INDEX ix_games_listed ON games (listed, status, moved_at, id);
CREATE INDEX ix_games_listed_variant ON games (listed, variant, status, moved_at, id);
CREATE INDEX ix_games_bot_to_move ON games (moved_at, id) WHERE bot_to_move;
COMMIT;
